import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { listEntries, publicPackages, root } from './public.ts'

export interface Exported {
  readonly name: string
  /** Whether the export exists at run time; otherwise it is a type. */
  readonly isValue: boolean
}

/** Returns the exports of each entry of the packages, by import specifier. */
export function exportedNames(): ReadonlyMap<string, readonly Exported[]> {
  return new Map(
    publicPackages().flatMap((one) =>
      listEntries(one).map(({ specifier, files }) => {
        const path = join(one.folder, files['@sallyport/source'] ?? '')
        return [specifier, readExports(path, readFileSync(join(root, path), 'utf8'))]
      }),
    ),
  )
}

/**
 * Returns the sorted exports of a module, without reading the modules that it imports.
 *
 * @throws TypeError for `export *`, whose names depend on another module
 */
export function readExports(path: string, text: string): readonly Exported[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const names = statements.flatMap((statement): readonly Exported[] => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, isTypeOnly } = statement
      if (clause === undefined || !ts.isNamedExports(clause)) {
        throw new TypeError(`${path} must name its exports`)
      }
      return clause.elements.map((one) => ({
        name: one.name.text,
        isValue: !(isTypeOnly || one.isTypeOnly),
      }))
    }
    if (!isExported(statement)) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => readBinding(name))
    }
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
      return [{ name: statement.name.text, isValue: false }]
    }
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      return [{ name: statement.name?.text ?? 'default', isValue: true }]
    }
    throw new TypeError(`${path} has an unsupported kind of export`)
  })
  // An overloaded function has several declarations.
  const byName = new Map(names.map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

const readBinding = (name: ts.BindingName): readonly Exported[] =>
  ts.isIdentifier(name)
    ? [{ name: name.text, isValue: true }]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : readBinding(element.name)))

/** Formats the list of exports: an entry, then one line per name. */
export const formatList = (names: ReadonlyMap<string, readonly Exported[]>): string =>
  [...names]
    .map(([specifier, exported]) =>
      [specifier, ...exported.map(({ name, isValue }) => `  ${isValue ? '' : 'type '}${name}`), ''].join(
        '\n',
      ),
    )
    .join('\n')
