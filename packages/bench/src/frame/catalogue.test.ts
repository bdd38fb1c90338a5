import { describe, expect, it } from 'vitest'
import { readCatalogue, select } from './catalogue.ts'

const entries = await readCatalogue()
const ids = (names: readonly string[]) => select(entries, names).map(({ id }) => id)

describe('the catalogue', () => {
  it('has every benchmark of the folders, each by its area and name', () => {
    expect(entries.length).toBeGreaterThan(0)
    for (const { id, file, benchmark } of entries) {
      expect(id).toMatch(/^[a-z]+\/[a-z0-9-]+$/)
      expect(file.pathname).toMatch(/\.bench\.ts$/)
      expect(benchmark.what).toMatch(/\.$/)
      for (const { does } of benchmark.sides) expect(does).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('is selected from by area, by name, and by both', () => {
    expect(ids([])).toEqual(entries.map(({ id }) => id))
    expect(ids(['rest/'])).toEqual(ids([]).filter((id) => id.startsWith('rest/')))
    expect(ids(['list-query'])).toEqual(['rest/list-query'])
    expect(ids(['rest/list-query', 'list-query'])).toEqual(['rest/list-query'])
  })

  it('tells what there is to whoever asks for something else', () => {
    expect(() => select(entries, ['nothing'])).toThrow(/no benchmark nothing\.[^]*rest\/list-query/)
  })
})
