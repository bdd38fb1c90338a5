import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { entriesOf, publicPackages, root } from './public.ts'

export interface Exported {
  readonly name: string
  /** Whether it is there at run time; otherwise it is a type alone. */
  readonly isValue: boolean
}

/** What each entry of the packages exports, by what is written in an import. */
export function exportedNames(): ReadonlyMap<string, readonly Exported[]> {
  return new Map(
    publicPackages().flatMap((one) =>
      entriesOf(one).map(({ specifier, files }) => {
        const path = join(one.folder, files['@sallyport/source'] ?? '')
        return [specifier, namesIn(path, readFileSync(join(root, path), 'utf8'))]
      }),
    ),
  )
}

/**
 * The names that a module exports, sorted. They are read without the modules behind it, as an entry names each.
 *
 * @throws TypeError for `export *`: what that exports changes where nobody looks
 */
export function namesIn(path: string, text: string): readonly Exported[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const names = statements.flatMap((statement): readonly Exported[] => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, isTypeOnly } = statement
      if (clause === undefined || !ts.isNamedExports(clause)) {
        throw new TypeError(`${path} has to name what it exports`)
      }
      return clause.elements.map((one) => ({
        name: one.name.text,
        isValue: !(isTypeOnly || one.isTypeOnly),
      }))
    }
    if (!isExported(statement)) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => bound(name))
    }
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
      return [{ name: statement.name.text, isValue: false }]
    }
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      return [{ name: statement.name?.text ?? 'default', isValue: true }]
    }
    throw new TypeError(`${path} exports what is neither a value nor a type`)
  })
  // Names differ: an overloaded function has several declarations.
  const byName = new Map(names.map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

const bound = (name: ts.BindingName): readonly Exported[] =>
  ts.isIdentifier(name)
    ? [{ name: name.text, isValue: true }]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bound(element.name)))

/** The list that is kept: an entry, and below it a line for each name. */
export const listed = (names: ReadonlyMap<string, readonly Exported[]>): string =>
  [...names]
    .map(([specifier, exported]) =>
      [specifier, ...exported.map(({ name, isValue }) => `  ${isValue ? '' : 'type '}${name}`), ''].join(
        '\n',
      ),
    )
    .join('\n')
