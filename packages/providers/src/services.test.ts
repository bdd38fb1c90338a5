import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { loadServices } from '../scripts/load.ts'
import { listMistakes } from '../scripts/mistakes/list-mistakes.ts'
import { findNextStep } from '../test/next-step.ts'
import { createCodehost } from './neutral/codehost.ts'
import { createMessaging } from './neutral/messaging.ts'

const folder = new URL('services/', import.meta.url)
const services = await loadServices()

describe.each(services.map((entry) => ({ name: entry.provider.name, ...entry })))(
  'the service $name',
  ({ name, provider, facts, samples }) => {
    it('has no mistake in its files', async () => {
      const test = await readFile(new URL(`${name}.test.ts`, folder), 'utf8').catch(() => undefined)
      const month = new Date().toISOString().slice(0, 7)
      const mistakes = listMistakes({ provider, facts, samples }, test, month)
      if (mistakes.length > 0) expect.fail(mistakes.join('\n'))
    })

    it('declares whether the service never resends a delivery that is answered with 503', () => {
      const isLost = /^(never|none)\b|\b5xx is final\b/.test(facts.retries)
      expect(provider.resends).toBe(isLost ? false : undefined)
    })

    it('has no open step, and a declaration of at most 40 lines', async () => {
      const step = await findNextStep(folder, (file) => file.startsWith(`${name}.`))
      if (step !== undefined) expect.fail(`Next step: packages/providers/src/services/${step}`)
      const declaration = await readFile(new URL(`${name}.ts`, folder), 'utf8')
      const [lines = ''] = declaration.split('export const facts')
      expect(lines.split('\n').length).toBeLessThanOrEqual(45)
    })
  },
)

it('declares the same of a normalized provider as of its service', () => {
  expect(createCodehost().resends).toBe(false)
  expect(createMessaging().resends).toBe(false)
  expect(createMessaging({ webhook: 'application' }).resends).toBeUndefined()
})

it('lists each service that never resends a delivery in docs/runtimes.md', async () => {
  const page = await readFile(new URL('../../../docs/runtimes.md', import.meta.url), 'utf8')
  const [, list = ''] = /These services never do([^]*?)and also/.exec(page) ?? []
  const named = Array.from(list.matchAll(/`([\w-]+)`/g), ([, name]) => name)
  const never = services.filter(({ provider }) => provider.resends === false)
  expect(named).toEqual(never.map(({ provider }) => provider.name))
})
