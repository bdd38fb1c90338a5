import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listEntries, publicPackages, root } from './public.ts'

const packages = publicPackages()
const address = 'https://github.com/sallyport/sallyport'

it('has the same version in every package', () => {
  expect(packages.length).toBeGreaterThan(5)
  expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1)
})

describe.each(packages)('$manifest.name', (one) => {
  const { folder, manifest } = one

  it('has a description, a license and a repository', () => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/^[A-Z].{20,}\.$/) as string,
      homepage: `${address}/tree/main/${folder}#readme`,
      bugs: `${address}/issues`,
      repository: { type: 'git', url: `git+${address}.git`, directory: folder },
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: expect.stringMatching(/^>=22\.\d+$/) as string },
    })
    expect((manifest['keywords'] as readonly string[]).length).toBeGreaterThanOrEqual(3)
    expect(readFileSync(join(root, folder, 'README.md'), 'utf8')).toMatch(`# ${manifest.name}\n`)
    expect(readFileSync(join(root, folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    )
  })

  it('has no install scripts', () => {
    expect(Object.keys(manifest['scripts'] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?(install|prepare|pack)/)]),
    )
  })

  it('has entries with types', () => {
    expect(listEntries(one).length > 0).toBe(manifest['bin'] === undefined)
    for (const { specifier, files } of listEntries(one)) {
      expect(specifier).not.toContain('*')
      // TypeScript takes the first condition that matches.
      expect(Object.keys(files)).toEqual(['@sallyport/source', 'types', 'default'])
      expect(existsSync(join(root, folder, files['@sallyport/source'] ?? '')), specifier).toBe(true)
      expect(files['types']).toBe(files['default']?.replace(/\.js$/, '.d.ts'))
    }
  })

  it('depends on ranges, so that npm can share one copy with the application', () => {
    const ranges = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    for (const [name, range] of ranges) {
      if (name.startsWith('@sallyport/')) expect(range, name).toBe(`^${manifest.version}`)
      else expect(range, name).toMatch(/^(\^|>=)\d/)
    }
    // A second copy would create schemas, instruments and queries that the application's copy does not accept.
    const shared = ['zod', 'kysely', '@opentelemetry/api']
    if (manifest['bin'] === undefined) {
      expect(Object.keys(manifest.dependencies ?? {}).filter((name) => shared.includes(name))).toEqual([])
    }
  })
})
