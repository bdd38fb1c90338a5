import { createRequire } from 'node:module'
import { casesOf, equal, type Case } from './case.ts'

const require = createRequire(import.meta.url)

/** Every entry can be imported, and required by modules that are not ESM, from what was built. */
export const loadingCases = (entries: readonly string[]): readonly Case[] =>
  entries.flatMap((entry) =>
    casesOf('loading', {
      async [`import ${entry}`]() {
        equal(import.meta.resolve(entry).includes('/dist/'), true)
        const loaded = (await import(entry)) as object
        if (Object.keys(loaded).length === 0) throw new Error('Nothing is exported')
      },
      async [`require ${entry}`]() {
        const [required, imported] = [require(entry) as object, (await import(entry)) as object]
        equal(namesOf(required), namesOf(imported))
      },
    }),
  )

const namesOf = (loaded: object) =>
  Object.keys(loaded)
    .filter((name) => name !== '__esModule')
    .sort()
