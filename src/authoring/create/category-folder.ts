import { folderBeside } from '../../content/preset/folder-files.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { groupBy } from '../../core/group-by.ts'
import type { CategoryIndex } from './category-index.ts'

type Article = Pick<DesiredArticle, 'source' | 'categories'>

/**
 * The folder in which most articles of a category are, or of its nearest ancestor that has any; undefined where none has.
 * Of folders with as many, the one nearest to the root.
 */
export function folderOfCategory(
  reference: string,
  articles: readonly Article[],
  { pathOf }: Pick<CategoryIndex, 'pathOf'>,
  preset?: PresetName,
): string | undefined {
  const path = pathOf(reference)
  const inCategory = (depth: number) => {
    const key = formatCategoryPath(path.slice(0, depth))
    return articles.filter(({ categories }) =>
      categories.some((each) => formatCategoryPath(pathOf(each)) === key),
    )
  }
  for (let depth = path.length; depth > 0; depth--) {
    const folder = mostFolder(inCategory(depth), preset)
    if (folder !== undefined) return folder
  }
  return undefined
}

function mostFolder(articles: readonly Article[], preset: PresetName | undefined): string | undefined {
  const groups = groupBy(articles, ({ source }) => folderBeside(source, preset))
  const [most] = [...groups].toSorted(
    ([a, these], [b, those]) => those.length - these.length || depthOf(a) - depthOf(b) || (a < b ? -1 : 1),
  )
  return most?.[0]
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length
}
