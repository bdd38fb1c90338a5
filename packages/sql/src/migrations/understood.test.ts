import type { Migration } from 'kysely/migration'
import { expect, it } from 'vitest'
import { findUnknown, withUnderstood } from './understood.ts'

const migration: Migration = { up: () => Promise.resolve() }
const version = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, migration] as const))

const [first, second, third] = ['0001-doors', '0002-width@0001-doors', '0003-fill@0002-width@0001-doors']

it('does not understand a newer migration without a mark', () => {
  // Regression: a process of the version before published events without their data.
  expect(findUnknown(['0001-doors', '0002-width'], version('0001-doors'))).toEqual(['0002-width'])
  expect(Object.keys(withUnderstood(version('0001-doors'), ['0002-width', '0001-doors']))).toEqual([
    '0001-doors',
  ])
})

it('does not understand the migrations of others', () => {
  expect(findUnknown(['0001-doors'], {})).toEqual(['0001-doors'])
})

it('understands a migration that is marked with a known one', () => {
  expect(findUnknown([first, second], version(first))).toEqual([])
})

it('does not understand a mark with an unknown migration', () => {
  const applied = [first, second, third]
  expect(findUnknown(applied, version(first, second))).toEqual([])
  expect(findUnknown(applied, version(first))).toEqual([third])
})

it('does not understand a mark without a name', () => {
  expect(findUnknown(['0002-width@'], version(first))).toEqual(['0002-width@'])
})

it('adds only understood migrations to the known ones', () => {
  const known = version(first)
  expect(Object.keys(withUnderstood(known, [first, second, third])).sort()).toEqual([first, second])
})
