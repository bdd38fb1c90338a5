import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineTrial } from '../frame/trial.ts'
import { bundlePrograms, countLines, locate, measureBundle, type Bundles } from './programs.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const bench = fileURLToPath(new URL('../../', import.meta.url))
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')

interface Stage extends Bundles {
  /** A folder for the configurations of the compiler. */
  readonly folder: string
}

/** Checks the types of a program with the declarations of the packages, as a user does, and returns the milliseconds. */
async function checkTypes({ folder }: Stage, program: string): Promise<number> {
  const config = join(folder, `${program}.json`)
  const compilerOptions = {
    ...{ customConditions: [], experimentalDecorators: true, incremental: false },
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const options = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [locate(program)] }
  await writeFile(config, JSON.stringify(options))
  const startedAt = performance.now()
  await run(process.execPath, [compiler, '--project', config])
  return performance.now() - startedAt
}

const side = (program: string, name: string, does: string) => ({
  name,
  does,
  turn: async (stage: Stage) => ({
    value: await checkTypes(stage, program),
    also: { lines: countLines(program), 'bundle MB': await measureBundle(stage, program) },
  }),
})

export default defineTrial<Stage>({
  name: 'source',
  what: 'The type check of the programs of `frameworks/list-books` with TypeScript 7, their lines, and the size of their bundles. Needs `npm run build`.',
  unit: 'ms',
  base: '@sallyport/rest',
  ratio: 'value',
  async prepare() {
    if (!existsSync(join(root, 'packages/rest/dist/index.d.ts')))
      throw new Error('The packages are not built: npm run build')
    return { ...(await bundlePrograms()), folder: await mkdtemp(join(bench, 'types-')) }
  },
  async release({ folder, remove }) {
    await rm(folder, { recursive: true })
    await remove()
  },
  sides: [
    side('sallyport', '@sallyport/rest', 'Schemas of zod.'),
    side('hono', 'Hono zod-openapi', 'Schemas of zod.'),
    side('nest', 'NestJS 12', 'Schemas of zod, and decorators.'),
    side('orpc', 'oRPC', 'Schemas of zod.'),
    side('elysia', 'Elysia', 'Schemas of zod.'),
  ],
})
