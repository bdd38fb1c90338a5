import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.ts'
import { compilers } from './installed.ts'
import { entriesOf, publicPackages } from './public.ts'

/** The ways to resolve modules, each as its users set it. */
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/**
 * Compiles imports of every entry of the packages that are installed in a folder, with each compiler and resolution;
 * the declarations of libraries too, once for each compiler.
 *
 * @throws Error with what the compiler says
 */
export function checkTypes(folder: string, tell: (line: string) => void): void {
  const specifiers = publicPackages().flatMap((one) => entriesOf(one).map(({ specifier }) => specifier))
  const names = specifiers.map((_, index) => `entry${index}`).join(', ')
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from '${specifier}'`)
  writeFileSync(join(folder, 'entries.ts'), `${imports.join('\n')}\nexport const all = [${names}]\n`)
  // CommonJS of today can require modules.
  const required = specifiers.map((specifier, index) => `import entry${index} = require('${specifier}')`)
  writeFileSync(join(folder, 'entries.cts'), `${required.join('\n')}\nexport const all = [${names}]\n`)

  const isOurs = (path: string): boolean => /\/node_modules\/@sallyport\/|\/entries\.c?ts$/.test(path)
  for (const compiler of Object.keys(compilers)) {
    for (const [resolution, options] of Object.entries(resolutions)) {
      const isFirst = resolution === 'nodenext'
      compile(folder, {
        compiler,
        options: { ...options, skipLibCheck: false },
        files: isFirst ? ['entries.ts', 'entries.cts'] : ['entries.ts'],
        ...(!isFirst && { only: isOurs }),
      })
      tell(`Types of ${specifiers.length} entries hold with ${compiler} and ${resolution}`)
    }
  }
}
