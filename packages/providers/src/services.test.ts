import { toKind } from '@sallyport/webhooks'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { loadServices } from '../scripts/generate.ts'
import { findNextStep } from '../test/next-step.ts'

const folder = new URL('services/', import.meta.url)
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
      const step = await findNextStep(folder, (file) => file.startsWith(`${name}.`))
      if (step !== undefined) expect.fail(`Next step: packages/providers/src/services/${step}`)
      const declaration = await readFile(new URL(`${name}.ts`, folder), 'utf8')
      const [lines = ''] = declaration.split('/** The facts for the documentation. */')
      expect(lines.split('\n').length).toBeLessThanOrEqual(45)
    })
  },
)
