/**
 * Writes the declarations of every package: one program emits them, then each package's are bundled by entry. Part of
 * `npm run build`, after the code, whose build empties the folders.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollup, type Plugin } from 'rollup'
import { dts } from 'rollup-plugin-dts'

interface Manifest {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const emitted = join(root, 'node_modules/.cache/declarations')

const declarationOf = (source: string): string => source.replace(/(\.d)?\.ts$/, '.d.ts')

/** Resolves imports of sources to their declarations, and inlines the package that is not published. */
const resolveSources: Plugin = {
  name: 'sources',
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      if (id.startsWith('@sallyport/internal/'))
        return join(emitted, `internal/src/${id.slice('@sallyport/internal/'.length)}.d.ts`)
      if (importer === undefined || !id.startsWith('.') || !id.endsWith('.ts')) return
      return join(dirname(importer), declarationOf(id))
    },
  },
}

execFileSync(
  process.execPath,
  [`${root}node_modules/typescript-7/bin/tsc`, '-p', '.ci/build/tsconfig.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
for (const manifest of globSync('packages/*/package.json', { cwd: root })) {
  const { private: isPrivate = false, exports = {} } = JSON.parse(
    readFileSync(join(root, manifest), 'utf8'),
  ) as Manifest
  if (!isPrivate && Object.keys(exports).length > 0) {
    const folder = basename(dirname(manifest))
    await bundle(folder, findEntries(folder, exports))
  }
}

interface Entry {
  readonly '@sallyport/source': string
  readonly types: string
}

/** Lists the emitted declarations by the names of the bundled ones. */
function findEntries(
  folder: string,
  exports: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const isTyped = (entry: unknown): entry is Entry =>
    typeof entry === 'object' && entry !== null && 'types' in entry && '@sallyport/source' in entry
  return Object.fromEntries(
    Object.values(exports)
      .filter(isTyped)
      .flatMap(({ types, '@sallyport/source': source }) =>
        globSync(declarationOf(source), { cwd: join(emitted, folder) }).map((path) => [
          types.replace(/^\.\/dist\/|\.d\.ts$/g, '').replace('*', basename(path, '.d.ts')),
          join(emitted, folder, path),
        ]),
      ),
  )
}

async function bundle(folder: string, input: Readonly<Record<string, string>>): Promise<void> {
  const build = await rollup({
    input,
    plugins: [resolveSources, dts()],
    external: (id) => !/^[./]|^@sallyport\/internal\//.test(id),
  })
  await build.write({ dir: join(root, 'packages', folder, 'dist'), format: 'es' })
  await build.close()
}
