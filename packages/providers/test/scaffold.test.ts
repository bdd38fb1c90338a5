import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { scaffold } from '../scripts/scaffold.ts'
import { nextStep } from './next-step.ts'

it('leads from a new folder to one that is filled in, a step at a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-scaffold-'))
  const url = pathToFileURL(`${folder}/`)
  try {
    for (const [path, text] of scaffold('door-bell')) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const steps: string[] = []
    for (let step = await nextStep(url); step !== undefined; step = await nextStep(url)) {
      expect(steps.length).toBeLessThan(20)
      steps.push(step)
      const [path = '', number] = step.split(':')
      const lines = (await readFile(join(folder, path), 'utf8')).split('\n')
      await writeFile(join(folder, path), lines.toSpliced(Number(number) - 1, 1).join('\n'))
    }
    expect(steps.map((step) => step.split(':')[0])).toEqual([
      'fixtures/thing.happened.json',
      'fixtures/README.md',
      'schemas.ts',
      'provider.ts',
      'index.ts',
      'samples.ts',
      'provider.test.ts',
      'index.ts',
    ])
    expect(steps[0]).toMatch(/:4: a delivery as the service sends it.*named after it$/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('names what it exports as the generated lists do', () => {
  expect(scaffold('door-bell').get('index.ts')).toContain("export { doorBell } from './provider.ts'")
})

it.each(['', 'Bell', 'door_bell', '../bell', 'bell-', '9lives'])('takes no provider named %j', (name) => {
  expect(() => scaffold(name)).toThrow(TypeError)
})
