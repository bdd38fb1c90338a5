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

describe.each(normalized)('the folder of $name', (provider) => {
  const { name } = provider

  const load = async () => builtInSamples.get(name)!()

  it('is complete', async () => {
    const step = await findNextStep(new URL(`src/${name}/`, root))
    if (step !== undefined) expect.fail(`Next step: packages/providers/src/${name}/${step}`)
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

  it('names its fixtures after their kinds', async () => {
    const files = await readdir(new URL(`src/${name}`, root), { recursive: true })
    const fixtures = files.flatMap((file) => /^fixtures[/\\](.+)\.json$/.exec(file)?.[1] ?? [])
    // The entry of a real service shares the fixtures of the neutral entry.
    if (fixtures.length === 0) return
    const kinds = Object.keys(provider.events)
    expect(fixtures).toEqual(expect.arrayContaining(kinds))
    expect(fixtures.filter((file) => !kinds.some((kind) => `${file}.`.startsWith(`${kind}.`)))).toEqual([])
    expect((await load()).samples()).toHaveLength(fixtures.length)
  })

  it('has a test', async () => {
    expect(await readdir(new URL(`src/${name}`, root))).toContain('provider.test.ts')
  })
})
