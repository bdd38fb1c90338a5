import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProviderModules } from './load-provider-modules.ts'

let directory: string
const at = (...names: string[]) => join(directory, ...names)

/** A provider as a stranger's module may hold it, made without the kit. */
const source = (name: string) =>
  `{ name: '${name}', signature: { headers: ['x-signature'], verify() {}, sign() {} }, events: {}, normalize() {} }`

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-modules-'))
  const module = (exported: string) => `export default ${exported}\n`
  await writeFile(at('one.mjs'), module(source('doorbell')))
  await writeFile(at('wrong.mjs'), module('{ name: "doorbell" }'))
  await writeFile(at('headless.mjs'), module(source('doorbell').replace("headers: ['x-signature'],", '')))
  await writeFile(at('throws.mjs'), 'throw new Error("of the module\\nand more")')
  await mkdir(at('node_modules', 'some-bells'), { recursive: true })
  await writeFile(
    at('node_modules', 'some-bells', 'package.json'),
    JSON.stringify({ name: 'some-bells', type: 'module', exports: './index.js' }),
  )
  await writeFile(
    at('node_modules', 'some-bells', 'index.js'),
    module(`[${source('front-bell')}, ${source('back-bell')}]`),
  )
})
afterAll(() => rm(directory, { recursive: true }))

describe('loadProviderModules', () => {
  it('finds modules by path and by name, with one provider or several', async () => {
    const { providers, problems } = await loadProviderModules('./one.mjs, some-bells', directory)
    expect(problems).toEqual([])
    expect(providers.map(({ name }) => name)).toEqual(['doorbell', 'front-bell', 'back-bell'])
    expect(await loadProviderModules('', directory)).toEqual({ providers: [], problems: [] })
    expect(await loadProviderModules(undefined, directory)).toEqual({ providers: [], problems: [] })
  })

  it.each([
    ['import alone', { import: './index.mjs' }, 'a-bell'],
    ['import alone, in a map', { '.': { types: './x.d.ts', import: { default: './index.mjs' } } }, 'a-bell'],
    ['the first of a list that fits', [{ browser: './x.js' }, './index.mjs'], 'a-bell'],
    ['other ways for require', { require: './wrong.cjs', default: './index.mjs' }, 'a-bell'],
    ['a path', { './deep': { import: './index.mjs' } }, 'a-bell/deep'],
    [
      'paths by a pattern',
      { './*': './none/*.mjs', './deep/*.js': { node: './*.mjs' } },
      'a-bell/deep/index.js',
    ],
    ['what a scope holds', { import: './index.mjs' }, '@bells/one'],
  ])('finds packages of the directory that export %s', async (_, exports, name) => {
    // Those with a condition for "import" alone were looked for beside the kit, and not found.
    const elsewhere = await mkdtemp(at('elsewhere-'))
    const folder = join(elsewhere, 'node_modules', name.startsWith('@') ? name : 'a-bell')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ exports }))
    await writeFile(join(folder, 'index.mjs'), `export default ${source('doorbell')}`)
    await writeFile(join(folder, 'wrong.cjs'), `exports.default = ${source('of-require')}`)
    const { providers, problems } = await loadProviderModules(name, join(elsewhere, 'deeper'))
    expect(problems).toEqual([])
    expect(providers.map((provider) => provider.name)).toEqual(['doorbell'])
  })

  it('takes no path that a package does not export', async () => {
    expect((await loadProviderModules('some-bells/index.js', directory)).problems).toEqual([
      expect.stringMatching(/^"some-bells\/index\.js" cannot be loaded: Package subpath/),
    ])
  })

  it('tells in a line each which cannot be used', async () => {
    const names = './wrong.mjs,./headless.mjs,./throws.mjs,./missing.mjs,no-such-package'
    const { providers, problems } = await loadProviderModules(names, directory)
    expect(providers).toEqual([])
    expect(problems).toEqual([
      'the default export of "./wrong.mjs" is no provider and no list of them',
      'the default export of "./headless.mjs" is no provider and no list of them',
      '"./throws.mjs" cannot be loaded: of the module',
      expect.stringMatching(/^"\.\/missing\.mjs" cannot be loaded: .+$/),
      expect.stringMatching(/^"no-such-package" cannot be loaded: .+$/),
    ])
  })
})
