import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePage } from './markdown.ts'
import { root } from './pages.ts'

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

it.skipIf(!hasPython)('verifies the catalogue with the program of its page', () => {
  const page = parsePage(readFileSync(join(root, 'docs/reference/catalogue.md'), 'utf8'))
  const program = page.blocks.find(({ language }) => language === 'python')?.text ?? ''
  const args = ['-', join(root, 'packages/providers/catalogue.json')]
  const output = execFileSync('python3', args, { input: program, encoding: 'utf8' })
  const [count] = /^\d+/.exec(output) ?? []
  expect(Number(count)).toBeGreaterThan(150)
})
