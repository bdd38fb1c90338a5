import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'
import { tableOf } from './table.ts'

const table = 'packages/errors/src/codes.ts'

interface Code {
  readonly name: string
  readonly status: string
  readonly meaning: string
  readonly remedy: string
}

/** The reference of error codes, from the docstrings of the table. */
export function errorCodesPage(): string {
  const rows = readCodes().map(({ name, status, meaning, remedy }) => [
    status,
    `\`${name}\``,
    meaning,
    remedy,
  ])
  return `# Error codes

Every refusal has one form, over REST and webhooks alike:

\`\`\`json
{ "error": { "code": "NOT_FOUND", "message": "There is no such user" } }
\`\`\`

Branch on \`code\`, which never changes its meaning; \`message\` is for people. With \`VALIDATION_ERROR\` there is
\`details\` too, a list of \`{ field, message }\`. Of an \`INTERNAL_ERROR\` nothing more is told: the reference server's log
has it, under the \`X-Request-Id\` of the answer.

${tableOf(['status', 'code', 'what it means', 'what to do'], rows)}`
}

/** @throws TypeError when a code has no docstring of two sentences */
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
        throw new TypeError(`${table}: ${name} needs two sentences: what it means, and what to do`)
      }
      codes.push({ name, status: node.initializer.text, meaning, remedy })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return codes
}
