import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))

/** The file of a program. */
export const locate = (name: string): string => join(folder, `${name}.ts`)

/** Counts the lines of a program that are not empty. */
export const countLines = (name: string): number =>
  readFileSync(locate(name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length

/** The bundled programs of a benchmark. */
export interface Bundles {
  readonly directory: string
  readonly remove: () => Promise<void>
}

/** Packages that Nest loads only if they are installed. */
const optional = ['@nestjs/microservices', '@nestjs/websockets', 'class-transformer', 'class-validator']

/** Bundles all programs, because Node.js does not run decorators. */
export async function bundlePrograms(): Promise<Bundles> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-frameworks-'))
  await build({
    entryPoints: globSync('*.ts', { cwd: folder, exclude: ['books.ts'] }).map((name) => join(folder, name)),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@sallyport/source'],
    external: optional.flatMap((name) => [name, `${name}/*`]),
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    // Express calls `require`.
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
  return { directory, remove: () => rm(directory, { recursive: true }) }
}

export const locateBundle = ({ directory }: Bundles, name: string): string => join(directory, `${name}.mjs`)

/** Returns the size of a bundle in megabytes. */
export const measureBundle = async (bundles: Bundles, name: string): Promise<number> =>
  (await stat(locateBundle(bundles, name))).size / 1_000_000
