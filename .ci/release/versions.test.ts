import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publicPackages } from '../packages/public.ts'
import { findProblems } from './publication.ts'
import { largestBump, next } from './versions.ts'

it('returns the largest change of all changesets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-changesets-'))
  try {
    expect(largestBump(folder)).toBe('none')
    writeFileSync(join(folder, 'a.md'), "---\n'@sallyport/errors': patch\n---\n\nIt says: major\n")
    expect(largestBump(folder)).toBe('patch')
    writeFileSync(join(folder, 'b.md'), "---\n'@sallyport/errors': patch\n'sallyport': minor\n---\n")
    expect(largestBump(folder)).toBe('minor')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('increments a version', () => {
  expect(next('0.9.3', 'minor')).toBe('0.10.0')
  expect(next('0.9.3', 'major')).toBe('1.0.0')
  expect(next('1.0.3', 'patch')).toBe('1.0.4')
  expect(() => next('1.0.0-rc.1', 'patch')).toThrow(TypeError)
})

it('reports missing and unexpected files', () => {
  const errors = publicPackages().find(({ manifest }) => manifest.name === '@sallyport/errors')!
  const files = [
    'package.json',
    'README.md',
    'src/index.ts',
    'src/errors.test.ts',
    'dist/index.js',
    'templates/api/.env.example',
  ].map((path) => ({
    path,
  }))
  const publication = { id: '', version: '', entryCount: 0, unpackedSize: 0, files }
  expect(findProblems(errors, publication)).toEqual([
    'LICENSE is missing',
    'dist/index.d.ts is missing',
    'src/errors.test.ts must not be published',
  ])
  expect(findProblems(errors, undefined)).toHaveLength(1)
})
