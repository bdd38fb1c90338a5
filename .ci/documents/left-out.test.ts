import { expect, it } from 'vitest'
import { loadServices } from '../../packages/providers/scripts/load.ts'
import { leftOut, reasons } from './left-out.ts'

const simplify = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

it('lists no service that the catalogue has', async () => {
  const known = (await loadServices()).flatMap(({ provider, facts }) => [provider.name, facts.title])
  const names = new Set(known.map(simplify))
  expect(names.has('github')).toBe(true)
  expect(leftOut.filter(({ title }) => names.has(simplify(title)))).toEqual([])
})

it('has one of the reasons and a source for each service, in the order of titles', () => {
  for (const { title, reason, source } of leftOut) {
    expect({ title, isKnown: Object.hasOwn(reasons, reason) }).toEqual({ title, isKnown: true })
    expect(source).toMatch(/^https:\/\/\S+\.\S+/)
  }
  const titles = leftOut.map(({ title }) => title.toLowerCase())
  expect(titles).toEqual([...new Set(titles)].sort())
})
