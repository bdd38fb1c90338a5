import { describe, expect, it } from 'vitest'
import { readResults } from '../results/results.ts'
import { readCatalogue, select } from './catalogue.ts'

const entries = await readCatalogue()
const ids = (names: readonly string[]) => select(entries, names).map(({ id }) => id)

describe('the catalogue', () => {
  it('lists every benchmark by area and name', () => {
    expect(entries.length).toBeGreaterThan(0)
    for (const { id, file, benchmark } of entries) {
      expect(id).toMatch(/^[a-z]+\/[a-z0-9-]+$/)
      expect(file.pathname).toMatch(/\.bench\.ts$/)
      expect(benchmark.what).toMatch(/\.$/)
      for (const { does } of benchmark.sides) expect(does).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('has every benchmark with a stored result, in its order', async () => {
    const stored = (await readResults()).map(({ id }) => id)
    expect(stored).toEqual(ids([]).filter((id) => stored.includes(id)))
  })

  it('selects by area, by name, and by both', () => {
    expect(ids([])).toEqual(entries.map(({ id }) => id))
    expect(ids(['rest/'])).toEqual(ids([]).filter((id) => id.startsWith('rest/')))
    expect(ids(['list-query'])).toEqual(['rest/list-query'])
    expect(ids(['rest/list-query', 'list-query'])).toEqual(['rest/list-query'])
  })

  it('lists all benchmarks in the error for an unknown name', () => {
    expect(() => select(entries, ['nothing'])).toThrow(/no benchmark nothing\.[^]*rest\/list-query/)
  })
})
