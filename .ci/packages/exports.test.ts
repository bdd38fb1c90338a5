import { expect, it } from 'vitest'
import { exportedNames, listed, namesIn } from './exports.ts'

it('exports what is listed; when that is meant to change, run `npm test -- .ci/packages -u`', async () => {
  await expect(listed(exportedNames())).toMatchFileSnapshot('exports.txt')
})

it('tells values from types', () => {
  const text = `
    export { b, c as a, type D } from './b.ts'
    export type { E } from './e.ts'
    export const { f, g: [h] } = i
    export function j(): void
    export function j(): void {}
    export interface K {}
    export default class {}
    const l = 1`
  expect(namesIn('entry.ts', text).map(({ name, isValue }) => (isValue ? name : `type ${name}`))).toEqual([
    'type D',
    'type E',
    'type K',
    'a',
    'b',
    'default',
    'f',
    'h',
    'j',
  ])
})

it('asks entries to name what they export', () => {
  expect(() => namesIn('entry.ts', "export * from './all.ts'")).toThrow(
    'entry.ts has to name what it exports',
  )
})
