import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** The modules that the declarations of a source file import, recursively. */
function listImports(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const { outputText } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
  })
  return ts
    .preProcessFile(outputText)
    .importedFiles.flatMap(({ fileName }) =>
      fileName.startsWith('.') ? listImports(new URL(fileName, file), seen) : [fileName],
    )
}

// Regression: the declarations imported KeyObject of node:crypto, which does not compile with only the types of Workers.
it('declares no types of Node.js', () => {
  const imported = new Set(listImports(new URL('./index.ts', import.meta.url)))
  expect([...imported].filter((name) => name.startsWith('node:'))).toEqual([])
  expect(imported).toContain('jose')
})
