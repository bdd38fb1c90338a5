import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProviderModules } from './load-provider-modules.ts'

let directory: string
const at = (...names: string[]) => join(directory, ...names)

/** The source of a provider that does not import the package. */
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
  it('loads modules by path or package name', async () => {
    const { providers, problems } = await loadProviderModules('./one.mjs, some-bells', directory)
    expect(problems).toEqual([])
    expect(providers.map(({ name }) => name)).toEqual(['doorbell', 'front-bell', 'back-bell'])
    expect(await loadProviderModules('', directory)).toEqual({ providers: [], problems: [] })
    expect(await loadProviderModules(undefined, directory)).toEqual({ providers: [], problems: [] })
  })

  it.each([
    ['only an import condition', { import: './index.mjs' }, 'a-bell'],
    [
      'only an import condition in a map',
      { '.': { types: './x.d.ts', import: { default: './index.mjs' } } },
      'a-bell',
    ],
    ['an array of targets', [{ browser: './x.js' }, './index.mjs'], 'a-bell'],
    ['a separate target for require', { require: './wrong.cjs', default: './index.mjs' }, 'a-bell'],
    ['a subpath', { './deep': { import: './index.mjs' } }, 'a-bell/deep'],
    [
      'a subpath pattern',
      { './*': './none/*.mjs', './deep/*.js': { node: './*.mjs' } },
      'a-bell/deep/index.js',
    ],
    ['a scope', { import: './index.mjs' }, '@bells/one'],
  ])('resolves packages of the directory with %s', async (_, exports, name) => {
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

  it('rejects a subpath that a package does not export', async () => {
    expect((await loadProviderModules('some-bells/index.js', directory)).problems).toEqual([
      expect.stringMatching(/^"some-bells\/index\.js" cannot be loaded: Package subpath/),
    ])
  })

  it('reports one line per unusable module', async () => {
    const names = './wrong.mjs,./headless.mjs,./throws.mjs,./missing.mjs,no-such-package'
    const { providers, problems } = await loadProviderModules(names, directory)
    expect(providers).toEqual([])
    expect(problems).toEqual([
      'the default export of "./wrong.mjs" is not a provider or an array of providers',
      'the default export of "./headless.mjs" is not a provider or an array of providers',
      '"./throws.mjs" cannot be loaded: of the module',
      expect.stringMatching(/^"\.\/missing\.mjs" cannot be loaded: .+$/),
      expect.stringMatching(/^"no-such-package" cannot be loaded: .+$/),
    ])
  })
})
