import { expect, it } from 'vitest'
import { exportedNames, formatList, readExports } from './exports.ts'

it('exports the formatList names; to change the list, run `npm test -- .ci/packages -u`', async () => {
  await expect(formatList(exportedNames())).toMatchFileSnapshot('exports.txt')
})

it('distinguishes values from types', () => {
  const text = `
    export { b, c as a, type D } from './b.ts'
    export type { E } from './e.ts'
    export const { f, g: [h] } = i
    export function j(): void
    export function j(): void {}
    export interface K {}
    export default class {}
    const l = 1`
  expect(readExports('entry.ts', text).map(({ name, isValue }) => (isValue ? name : `type ${name}`))).toEqual(
    ['type D', 'type E', 'type K', 'a', 'b', 'default', 'f', 'h', 'j'],
  )
})

it('rejects export *', () => {
  expect(() => readExports('entry.ts', "export * from './all.ts'")).toThrow('entry.ts must name its exports')
})
