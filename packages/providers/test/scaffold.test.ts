import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { addProvider } from '../scripts/add-provider.ts'
import { scaffold } from '../scripts/scaffold.ts'
import { findNextStep } from './next-step.ts'

it('leads from a new folder to a complete one, step by step', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-scaffold-'))
  const url = pathToFileURL(`${folder}/`)
  try {
    for (const [path, text] of scaffold('door-bell')) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const steps: string[] = []
    for (let step = await findNextStep(url); step !== undefined; step = await findNextStep(url)) {
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

it('exports the names that the generated lists import', () => {
  expect(scaffold('door-bell').get('index.ts')).toContain("export { doorBell } from './provider.ts'")
})

it.each(['', 'Bell', 'door_bell', '../bell', 'bell-', '9lives'])('rejects the provider name %j', (name) => {
  expect(() => scaffold(name)).toThrow(TypeError)
})

// Regression: such a folder was written, could not be listed and made later runs fail.
it.each([
  ['an entry of the package', 'samples'],
  ['a reserved word', 'delete'],
  ['a reserved word of modules', 'await'],
  ['the list of providers', 'built-in-providers'],
  ['an import of its files', 'define-provider'],
  ['a declaration of its files', 'thing-happened'],
  ['a declaration of its test', 'signed'],
])('rejects a name that equals %s: %s', (_, name) => {
  expect(() => scaffold(name)).toThrow(/is reserved\. Use/)
})

it('removes the folder when the lists cannot be generated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-scaffold-'))
  const root = pathToFileURL(`${folder}/`)
  try {
    await mkdir(join(folder, 'src/broken'), { recursive: true })
    await writeFile(join(folder, 'src/broken/index.ts'), '')
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'README.md'), '')
    await expect(addProvider('door-bell', root)).rejects.toThrow()
    await expect(addProvider('broken', root)).rejects.toThrow('exists already')
    expect(await readdir(join(folder, 'src'))).toEqual(['broken'])
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('{}')
  } finally {
    await rm(folder, { recursive: true })
  }
})

// Regression: the list kept the removed provider, so the package could not be imported.
it('restores the lists when one of them cannot be written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-scaffold-'))
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  try {
    await cp(here('../src'), join(folder, 'src'), { recursive: true })
    await symlink(here('../../../node_modules'), join(folder, 'node_modules'))
    for (const name of ['package.json', 'README.md']) await cp(here(`../${name}`), join(folder, name))
    await rm(join(folder, 'src/samples.ts'))
    await mkdir(join(folder, 'src/samples.ts'))
    const list = await readFile(join(folder, 'src/index.ts'), 'utf8')
    await expect(addProvider('door-bell', pathToFileURL(`${folder}/`))).rejects.toThrow('EISDIR')
    expect(await readFile(join(folder, 'src/index.ts'), 'utf8')).toBe(list)
    expect(await readdir(join(folder, 'src'))).not.toContain('door-bell')
  } finally {
    await rm(folder, { recursive: true })
  }
})
