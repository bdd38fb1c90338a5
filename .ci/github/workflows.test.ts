import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadWorkflowParser } from './workflow-parser.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Workflow {
  readonly permissions?: unknown
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[] }>
  >
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
const parser = await loadWorkflowParser()

/** Returns the errors of a workflow's keys, values and expressions. */
async function findProblems(name: string, content: string): Promise<readonly string[]> {
  const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter())
  if (value) await parser.convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

it('detects an invalid workflow', async () => {
  const text = `
    on: push
    jobs:
      one:
        runs-on: ubuntu-24.04
        steps:
          - run: 'true'
            if: \${{ nothing.known }}
          - uses: actions/checkout@v5
            wth: { fetch-depth: 0 }`
  expect(await findProblems('one.yml', text)).toEqual([
    expect.stringContaining("Unrecognized named-value: 'nothing'"),
    expect.stringContaining("Unexpected value 'wth'"),
  ])
})

it('finds the workflows', () => {
  expect(workflows).toEqual(
    ['benchmarks', 'ci', 'image', 'pages', 'release', 'sources'].map(
      (name) => `.github/workflows/${name}.yml`,
    ),
  )
})

it.each(workflows)('%s is valid', async (path) => {
  expect(await findProblems(path, read(path))).toEqual([])
})

it.each(workflows)('%s has minimal permissions', (path) => {
  const { permissions, jobs } = parse(read(path)) as Workflow
  // Without permissions, the settings of the repository apply.
  expect([{}, { contents: 'read' }]).toContainEqual(permissions)
  for (const [job, { steps, 'timeout-minutes': minutes }] of Object.entries(jobs)) {
    expect(minutes, job).toBeLessThanOrEqual(60)
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/)
      // An expression could inject a title into the command, and a trace could show a secret.
      expect(run ?? '').not.toMatch(/\$\{\{|set -x/)
    }
  }
  expect(read(path)).not.toMatch(/secrets\./)
})
