/**
 * Checks the packed packages in an empty folder: imports every entry, compiles the types with several compilers and module
 * resolutions, and runs the READMEs. Part of `npm run check:packages`; needs the build.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { problemsInDeclarations } from './declarations.ts'
import { exportedNames } from './exports.ts'
import { installPacked } from './installed.ts'
import { checkReadmes } from './readmes.ts'
import { checkTypes } from './types.ts'

let since = performance.now()
const tell = (line: string): void => {
  process.stdout.write(`${line} (${((performance.now() - since) / 1000).toFixed(1)} s)\n`)
  since = performance.now()
}

const folder = installPacked()
try {
  tell('Packed, and installed in an empty folder')
  checkNames()
  tell('Every entry has the names that are listed in .ci/packages/exports.txt')
  const problems = problemsInDeclarations(folder)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  checkTypes(folder, tell)
  for (const line of await checkReadmes(folder)) tell(line)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Checks that the built exports equal those of the sources. */
function checkNames(): void {
  const expected = Object.fromEntries(
    [...exportedNames()].map(([specifier, names]) => [
      specifier,
      names.filter(({ isValue }) => isValue).map(({ name }) => name),
    ]),
  )
  const script = `
    const names = {}
    for (const specifier of ${JSON.stringify(Object.keys(expected))}) {
      names[specifier] = Object.keys(await import(specifier)).sort()
    }
    process.stdout.write(JSON.stringify(names))`
  const found = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
  for (const [specifier, names] of Object.entries(JSON.parse(found.toString()) as typeof expected)) {
    if (names.join() !== expected[specifier]?.join()) {
      throw new Error(
        `${specifier} exports ${names.join()}, and not ${expected[specifier]?.join() ?? 'nothing'}`,
      )
    }
  }
}
