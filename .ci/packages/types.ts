import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.ts'
import { compilers } from './installed.ts'
import { listEntries, publicPackages } from './public.ts'

/** Module resolutions with their usual options. */
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/**
 * Compiles imports of every installed entry with each compiler and module resolution. Checks the declarations of
 * libraries once per compiler.
 *
 * @throws Error with the message of the compiler
 */
export function checkTypes(folder: string, log: (line: string) => void): void {
  const specifiers = publicPackages().flatMap((one) => listEntries(one).map(({ specifier }) => specifier))
  const names = specifiers.map((_, index) => `entry${index}`).join(', ')
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from '${specifier}'`)
  writeFileSync(join(folder, 'entries.ts'), `${imports.join('\n')}\nexport const all = [${names}]\n`)
  // CommonJS can require ES modules.
  const required = specifiers.map((specifier, index) => `import entry${index} = require('${specifier}')`)
  writeFileSync(join(folder, 'entries.cts'), `${required.join('\n')}\nexport const all = [${names}]\n`)

  const isOurs = (path: string): boolean => /\/node_modules\/@sallyport\/|\/entries\.c?ts$/.test(path)
  // Declarations of NATS fail with exactOptionalPropertyTypes.
  const isChecked = (path: string): boolean => !/\/node_modules\/@nats-io\//.test(path)
  for (const compiler of Object.keys(compilers)) {
    for (const [resolution, options] of Object.entries(resolutions)) {
      const isFirst = resolution === 'nodenext'
      compile(folder, {
        compiler,
        options: { ...options, skipLibCheck: false },
        files: isFirst ? ['entries.ts', 'entries.cts'] : ['entries.ts'],
        only: isFirst ? isChecked : isOurs,
      })
      log(`Types of ${specifiers.length} entries compile with ${compiler} and ${resolution}`)
    }
  }
  checkNativeTypes(folder)
  log(`Types of ${specifiers.length} entries compile with typescript-7 and nodenext`)
}

/** Compiles the entries with the native compiler, and reports the errors in the packages and in the entries. */
function checkNativeTypes(folder: string): void {
  const options = [
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--pretty', 'false'],
    ...['--target', 'es2024', '--module', 'nodenext', '--types', 'node'],
  ]
  const compiler = join(folder, 'node_modules/typescript-7/bin/tsc')
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, ...options, 'entries.ts', 'entries.cts'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  const ours = stdout
    .split('\n')
    .filter((line) => /^(node_modules\/@sallyport\/|entries\.|error )/.test(line))
  if (status === null || ours.length > 0) throw new Error(`TypeScript 7:\n${ours.join('\n')}`)
}
