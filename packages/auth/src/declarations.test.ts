import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** What the declaration of a source file imports, and those of the files that it is made of. */
function importsOf(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const { outputText } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
  })
  return ts
    .preProcessFile(outputText)
    .importedFiles.flatMap(({ fileName }) =>
      fileName.startsWith('.') ? importsOf(new URL(fileName, file), seen) : [fileName],
    )
}

// They once imported KeyObject of node:crypto, which a project with the types of Workers alone does not compile.
it.each(['./index.ts', './testing/index.ts'])('%s declares nothing by types of Node', (entry) => {
  const imported = new Set(importsOf(new URL(entry, import.meta.url)))
  expect([...imported].filter((name) => name.startsWith('node:'))).toEqual([])
  if (entry === './index.ts') expect(imported).toContain('jose')
})
