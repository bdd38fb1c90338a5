import { createRequire } from 'node:module'
import { defineCases, expectEqual, type Case } from './case.ts'

const require = createRequire(import.meta.url)

/** Imports every entry from the build as ESM and as CommonJS. */
export const loadingCases = (entries: readonly string[]): readonly Case[] =>
  entries.flatMap((entry) =>
    defineCases('loading', {
      async [`import ${entry}`]() {
        expectEqual(import.meta.resolve(entry).includes('/dist/'), true)
        await import(entry)
      },
      async [`require ${entry}`]() {
        const [required, imported] = [require(entry) as object, (await import(entry)) as object]
        expectEqual(listNames(required), listNames(imported))
      },
    }),
  )

const listNames = (loaded: object) =>
  Object.keys(loaded)
    .filter((name) => name !== '__esModule')
    .sort()
