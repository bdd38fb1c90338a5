import { createRequire } from 'node:module'
import { join } from 'node:path'
import type ts from 'typescript'

export interface Compilation {
  /** The name under which the compiler is installed. */
  readonly compiler: string
  /** Compiler options in addition to the common ones. */
  readonly options: Readonly<Record<string, unknown>>
  /** The files to compile, relative to the folder. */
  readonly files: readonly string[]
  /** Selects the files whose errors are reported. @default all */
  readonly only?: (path: string) => boolean
}

/**
 * Compiles files of a folder with the compiler that is installed in it.
 *
 * @throws Error with the messages of the compiler
 */
export function compile(folder: string, { compiler, options, files, only }: Compilation): void {
  const api = createRequire(join(folder, 'package.json'))(compiler) as typeof ts
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  const common = { target: 'es2024', lib: ['es2024'], types: ['node'], ...strict, noEmit: true }
  const parsed = api.convertCompilerOptionsFromJson({ ...common, ...options }, folder)
  const host = { ...api.createCompilerHost(parsed.options), getCurrentDirectory: () => folder }
  const paths = files.map((file) => join(folder, file))
  const program = api.createProgram(paths, parsed.options, host)
  const sources = program.getSourceFiles().filter(({ fileName }) => only?.(fileName) !== false)
  const problems = [
    ...parsed.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...(only === undefined
      ? api.getPreEmitDiagnostics(program)
      : sources.flatMap((source) => [
          ...program.getSyntacticDiagnostics(source),
          ...program.getSemanticDiagnostics(source),
        ])),
  ]
  if (sources.length < files.length) throw new Error(`${compiler} ${api.version} found nothing to check`)
  if (problems.length > 0) {
    const messages = api.formatDiagnostics(problems.slice(0, 20), {
      ...host,
      getCanonicalFileName: (name) => name,
    })
    throw new Error(`TypeScript ${api.version} with ${JSON.stringify(options)}:\n${messages}`)
  }
}
