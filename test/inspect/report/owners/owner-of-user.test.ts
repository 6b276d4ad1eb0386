import { expect, test } from 'vitest'
import type { Owner } from '../../../../src/web/report/report.ts'
import { ownerOfUser, type TargetUser } from '../../../../src/inspect/report/owners/owner.ts'
import { formatOwner } from '../../../../src/web/report/report-words.ts'

const ADA: TargetUser = {
  username: 'ada',
  first_name: 'Ada',
  last_name: 'Smith',
  email_address: 'ada@example.com',
}

test.each<[string, TargetUser | undefined, Owner | undefined, Owner | undefined]>([
  ['a whole user', ADA, { name: 'Ada Smith' }, { name: 'Ada Smith', email: 'ada@example.com' }],
  ['one name only', { first_name: ' Ada ', last_name: '' }, { name: 'Ada' }, { name: 'Ada' }],
  [
    'a user name only',
    { username: 'ada', email_address: 'ada@example.com' },
    { name: 'ada' },
    { name: 'ada', email: 'ada@example.com' },
  ],
  [
    'an address as user name',
    { username: 'ada@example.com' },
    undefined,
    { name: 'ada@example.com', email: 'ada@example.com' },
  ],
  [
    'addresses within names',
    { first_name: 'Ada', last_name: 'Smith <ada@example.com>' },
    { name: 'Ada Smith' },
    { name: 'Ada Smith' },
  ],
  [
    'an address as first name',
    { ...ADA, first_name: 'ada@home.example', last_name: '' },
    { name: 'ada' },
    { name: 'ada', email: 'ada@example.com' },
  ],
  [
    'several lines',
    { first_name: 'Ada\n', last_name: '\tSmith\r\nJones' },
    { name: 'Ada Smith Jones' },
    { name: 'Ada Smith Jones' },
  ],
  [
    'an address that is none',
    { ...ADA, email_address: 'none' },
    { name: 'Ada Smith' },
    { name: 'Ada Smith' },
  ],
  ['empty members', { username: '', first_name: '', last_name: '', email_address: '' }, undefined, undefined],
  ['no user', undefined, undefined, undefined],
])('%s', (_, user, byName, byEmail) => {
  expect(ownerOfUser(user, 'names')).toEqual(byName)
  expect(ownerOfUser(user, 'email')).toEqual(byEmail)
})

test('formats an owner as text', () => {
  expect(
    [
      { name: 'Ada Smith' },
      { name: 'Ada Smith', email: 'ada@example.com' },
      { name: 'ada@example.com', email: 'ada@example.com' },
    ].map(formatOwner),
  ).toEqual(['Ada Smith', 'Ada Smith <ada@example.com>', 'ada@example.com'])
})
