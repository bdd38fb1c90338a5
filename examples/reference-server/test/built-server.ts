import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Options } from 'tsup'
import { temporaryDirectory } from './server-process.ts'

const formatPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the server as its package does, but from the sources of the packages, which may not be built. */
export async function buildServer(): Promise<{ readonly main: string } & AsyncDisposable> {
  const { default: options } = (await import(formatPath('../tsup.config.js'))) as { default: Options }
  const directory = await temporaryDirectory()
  await symlink(formatPath('../../../node_modules'), join(directory.path, 'node_modules'))
  await writeFile(join(directory.path, 'package.json'), '{ "type": "module" }')
  await build({
    ...options,
    entry: {
      main: formatPath('../src/main.ts'),
      'commit-worker': formatPath('../../../packages/sql/src/sqlite/commit-worker.ts'),
      'query-worker': formatPath('../../../packages/sql/src/sqlite/query-worker.ts'),
    },
    outDir: join(directory.path, 'dist'),
    esbuildOptions(esbuild) {
      esbuild.conditions = ['@sallyport/source']
    },
    tsconfig: formatPath('../tsconfig.json'),
    config: false,
    clean: false,
    silent: true,
  })
  return {
    main: join(directory.path, 'dist/main.js'),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}
