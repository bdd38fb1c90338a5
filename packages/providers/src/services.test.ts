import { toKind } from '@sallyport/webhooks'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { loadServices } from '../scripts/generate.ts'

const services = await loadServices()

describe.each(services.map((entry) => ({ name: entry.provider.name, ...entry })))(
  'the service $name',
  ({ name, facts, samples }) => {
    it('has facts and two samples with their sources', () => {
      expect(facts.docs).toMatch(/^https:\/\/\S+\.\S+/)
      expect(facts.setup.length).toBeGreaterThan(0)
      expect(samples.length).toBeGreaterThanOrEqual(2)
      for (const { kind, source } of samples) expect([toKind(kind), source !== '']).toEqual([kind, true])
    })

    it('has no open step, and a declaration of at most 40 lines', async () => {
      const read = async (path: string) =>
        readFile(new URL(`services/${name}${path}`, import.meta.url), 'utf8')
      const declaration = await read('.ts')
      for (const text of [declaration, await read('.samples.json'), await read('.test.ts')]) {
        expect(text).not.toContain('TODO')
      }
      const [lines = ''] = declaration.split('/** The facts for the documentation. */')
      expect(lines.split('\n').length).toBeLessThanOrEqual(45)
    })
  },
)
