// @ts-check
// Progressive enhancement: the report is readable without it.

/** Minimum number of rows for a search field. */
const MANY = 12

/** Sorts numbers in texts by value, and ignores case. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0]
  if (!body || body.rows.length < 2) continue
  const rows = [...body.rows]
  makeSortable(table, body, rows)
  if (rows.length >= MANY) table.before(createFilter(table.caption?.textContent?.trim() ?? '', rows))
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableSectionElement} body
 * @param {readonly HTMLTableRowElement[]} rows in their initial order
 */
function makeSortable(table, body, rows) {
  table.classList.add('report-sortable')
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  for (const [column, head] of heads.entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'report-sort'
    button.append(...head.childNodes)
    button.addEventListener('click', () => {
      const order = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', order)
      body.append(...sorted(rows, column, order))
    })
    head.append(button)
  }
}

/**
 * @param {readonly HTMLTableRowElement[]} rows
 * @param {number} column
 * @param {'ascending' | 'descending'} order
 */
function sorted(rows, column, order) {
  const sign = order === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, key: keyOf(row.cells[column]) }))
    .toSorted((a, b) => sign * collator.compare(a.key, b.key))
    .map(({ row }) => row)
}

/** @param {HTMLTableCellElement | undefined} cell */
function keyOf(cell) {
  const text = cell?.dataset.key ?? cell?.textContent?.trim() ?? ''
  return cell?.classList.contains('kb-data-number') ? text.replace(/\D/g, '') : text
}

/**
 * Creates a field that hides the rows without the typed text.
 *
 * @param {string} name of the list
 * @param {readonly HTMLTableRowElement[]} rows
 */
function createFilter(name, rows) {
  const texts = rows.map((row) => (row.textContent ?? '').toLowerCase())
  const box = document.createElement('div')
  box.className = 'report-filter'
  const input = document.createElement('input')
  input.type = 'search'
  input.placeholder = 'Filter'
  input.setAttribute('aria-label', `Filter: ${name}`)
  const count = document.createElement('span')
  count.className = 'kb-note'
  count.setAttribute('role', 'status')
  input.addEventListener('input', () => {
    const typed = input.value.trim().toLowerCase()
    for (const [index, row] of rows.entries()) row.hidden = !texts[index]?.includes(typed)
    const left = rows.filter((row) => !row.hidden).length
    count.textContent = typed === '' ? '' : `${left} of ${rows.length} rows`
  })
  box.append(input, count)
  return box
}
