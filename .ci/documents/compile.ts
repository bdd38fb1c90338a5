import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'
import type { Snippet } from './snippets.ts'

/**
 * Relative imports of snippets: the programs of the reader, and files of contributors.
 */
const relativeImports: Readonly<Record<string, string>> = {
  './books.ts': join(root, 'examples/books/src/books.ts'),
  './doorbell.ts': join(root, '.ci/documents/doorbell/provider.ts'),
  '../frame/micro.ts': join(root, 'packages/bench/src/frame/micro.ts'),
}

/** Files of the folders whose packages snippets may import besides those of the repository. */
const otherImporters = ['packages/test-support/vendors/types.test.ts', 'packages/bench/src/main.ts']

/**
 * Compiles all snippets in one program with the sources of the packages and returns the errors as `path:line: message`.
 *
 * Each snippet is a separate module in the folder of its page or source file.
 */
export function compile(snippets: readonly Snippet[]): readonly string[] {
  const byFile = new Map(
    snippets.map((snippet, index) => [join(root, snippet.folder, `snippet-${index}.ts`), snippet]),
  )
  const options = readOptions()
  const host = ts.createCompilerHost(options)
  const onDisk = { ...host }
  host.fileExists = (file) => byFile.has(file) || onDisk.fileExists(file)
  host.readFile = (file) => byFile.get(file)?.text ?? onDisk.readFile(file)
  host.getSourceFile = (file, version, ...rest) => {
    const text = byFile.get(file)?.text
    if (text === undefined) return onDisk.getSourceFile(file, version, ...rest)
    return ts.createSourceFile(file, text, version, true)
  }
  const cache = ts.createModuleResolutionCache(root, (name) => name, options)
  host.resolveModuleNameLiterals = (literals, file, redirected, _, source) =>
    literals.map((literal) => {
      const target = byFile.has(file) ? relativeImports[literal.text] : undefined
      if (target !== undefined) {
        const extension = target.endsWith('.json') ? ts.Extension.Json : ts.Extension.Ts
        return { resolvedModule: { resolvedFileName: target, extension, isExternalLibraryImport: false } }
      }
      const mode = ts.getModeForUsageLocation(source, literal, options)
      const importers = byFile.has(file) ? [file, ...otherImporters.map((path) => join(root, path))] : [file]
      const found = importers.map((importer) =>
        ts.resolveModuleName(literal.text, importer, options, host, cache, redirected, mode),
      )
      return found.find(({ resolvedModule }) => resolvedModule !== undefined) ?? { resolvedModule: undefined }
    })

  const program = ts.createProgram([...byFile.keys()], options, host)
  return [...byFile].flatMap(([file, snippet]) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start }) => {
        const within = start === undefined ? 0 : (source?.getLineAndCharacterOfPosition(start).line ?? 0)
        const message = ts.flattenDiagnosticMessageText(messageText, ' ')
        return `${snippet.path}:${snippet.line + within}: ${message}`
      },
    )
  })
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root)
  return {
    ...options,
    moduleDetection: ts.ModuleDetectionKind.Force,
    // A snippet may declare names without using them.
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
}
