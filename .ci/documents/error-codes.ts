import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'
import { formatTable } from './table.ts'

const table = 'packages/errors/src/codes.ts'

interface Code {
  readonly name: string
  readonly status: string
  readonly meaning: string
  readonly remedy: string
}

/** Generates the reference of error codes from their docstrings. */
export function errorCodesPage(): string {
  const rows = readCodes().map(({ name, status, meaning, remedy }) => [
    status,
    `\`${name}\``,
    meaning,
    remedy,
  ])
  return `# Error codes

The REST API and the gateway answer every error with the same envelope:

\`\`\`json
{ "error": { "code": "NOT_FOUND", "message": "There is no such user" } }
\`\`\`

Branch on \`code\`, whose meaning never changes. \`message\` is for people. \`VALIDATION_ERROR\` also has \`details\`, a list of
\`{ code, field, in, message }\`: see [validation](../../packages/rest/README.md#validation). An \`INTERNAL_ERROR\` contains no details; the log of the reference server has them, with the
\`X-Request-Id\` of the answer.

${formatTable(['status', 'code', 'meaning', 'remedy'], rows)}`
}

/** @throws TypeError if the docstring of a code does not have two sentences */
function readCodes(): readonly Code[] {
  const source = ts.createSourceFile(
    table,
    readFileSync(join(root, table), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const codes: Code[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isNumericLiteral(node.initializer)) {
      const name = node.name.getText(source)
      const comment = ts
        .getJSDocCommentsAndTags(node)
        .map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? '')
        .join(' ')
      const [, meaning, remedy] = /^(.+?\.) (\S.+)$/.exec(comment.replaceAll(/\s+/g, ' ')) ?? []
      if (meaning === undefined || remedy === undefined) {
        throw new TypeError(`${table}: ${name} needs two sentences: the meaning and the remedy`)
      }
      codes.push({ name, status: node.initializer.text, meaning, remedy })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return codes
}
