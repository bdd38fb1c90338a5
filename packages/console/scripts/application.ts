import { existsSync, globSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../', import.meta.url))
const output = join(folder, 'dist/static')

/** Builds the application into `dist/static`. */
export async function buildApplication(): Promise<void> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const outDir = join(folder, `dist/.static-${process.pid}`)
  const { NODE_ENV: environment } = process.env
  // A test runner sets another value, with which the application contains the development build of React.
  process.env['NODE_ENV'] = 'production'
  await build({
    configFile: false,
    root: join(folder, 'src/app'),
    // The page sets a relative base, so that any mount path and any prefix of a proxy work.
    base: './',
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      // The content security policy forbids data: addresses.
      assetsInlineLimit: 0,
      license: { fileName: 'licenses.md' },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
    },
  })
  if (environment === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = environment
  // A running server must not see half of a build.
  await rm(output, { recursive: true, force: true })
  await rename(outDir, output).catch(async (error: unknown) => {
    if (!existsSync(output)) throw error
    // Another process has built the application in this time.
    await rm(outDir, { recursive: true })
  })
}

/** Builds the application if it is older than its sources. Calls `onBuild` before a build. */
export async function buildIfChanged({ onBuild }: { readonly onBuild?: () => void } = {}): Promise<void> {
  const sources = globSync(['src/app/**/*', 'src/page.ts', 'scripts/*.ts'], { cwd: folder })
  const changed = Math.max(...sources.map((path) => statSync(join(folder, path)).mtimeMs))
  const built = statSync(join(output, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changed <= built) return
  onBuild?.()
  await buildApplication()
}
