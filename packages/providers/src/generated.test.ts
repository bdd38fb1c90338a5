import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { generatedFiles } from '../scripts/generate.ts'
import { findNextStep } from '../test/next-step.ts'
import { builtInProviders } from './index.ts'
import { builtInSamples } from './samples.ts'

const root = new URL('../', import.meta.url)

it('matches the files; if not, run `npm run generate -w packages/providers`', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(await readFile(new URL(path, root), 'utf8'), path).toBe(text)
  }
})

const normalized = builtInProviders.filter((provider) => !('service' in provider))

describe.each(normalized)('the neutral provider $name', (provider) => {
  const { name } = provider

  const load = async () => builtInSamples.get(name)!()

  it('is complete', async () => {
    const step = await findNextStep(new URL('src/neutral/', root), (file) => file.startsWith(`${name}.`))
    if (step !== undefined) expect.fail(`Next step: packages/providers/src/neutral/${step}`)
  })

  it('has a sample of every kind, and a fresh sample that is a new event', async () => {
    const { kinds, sample, samples } = await load()
    expect([...kinds].sort()).toEqual(Object.keys(provider.events).sort())
    const fixed = { fresh: true, now: () => 0, randomUUID: () => '00000000-0001-4000-8000-000000000000' }
    for (const kind of kinds) {
      expect(sample(kind)).toEqual(sample(kind))
      expect(sample(kind, fixed)).toEqual(sample(kind, fixed))
      expect(sample(kind, { fresh: true })).not.toEqual(sample(kind, { fresh: true }))
      expect(samples()).toContainEqual(sample(kind))
    }
    expect(() => sample('no.such_kind')).toThrow(TypeError)
  })

  it('returns a new copy of each sample', async () => {
    const { kinds, sample } = await load()
    const first = sample(kinds[0]!)
    Object.assign(first.body as object, { changed: true })
    expect(sample(kinds[0]!).body).not.toHaveProperty('changed')
  })

  it('has a test', async () => {
    expect(await readdir(new URL('src/neutral', root))).toContain(`${name}.test.ts`)
  })
})
