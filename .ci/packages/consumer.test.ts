import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { root } from './public.ts'

it('exports the types that the declarations of a user name', () => {
  const file = join(root, '.ci/packages/consumer/exports.ts')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root)
  const program = ts.createProgram([file], {
    ...options,
    declaration: true,
    noEmit: false,
    // The packages have paths in node_modules, as installed ones do.
    preserveSymlinks: true,
  })
  const source = program.getSourceFile(file)
  const problems = [...program.getSemanticDiagnostics(source), ...program.getDeclarationDiagnostics(source)]
  expect(source?.statements.length).toBeGreaterThan(30)
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})
