import { expect, it } from 'vitest'
import { formatDocument, replaceSections } from './document.ts'
import { describeMachine } from './machine.ts'
import type { Result } from './result.ts'

const machine = describeMachine()
const spread = { median: 2, low: 1, high: 3 }
const result: Result = {
  name: 'it',
  what: 'Does it.',
  unit: 'operations/s',
  ratioKind: 'speed',
  base: 'plain',
  rounds: 3,
  sides: [
    { name: 'plain', does: 'Little.', value: spread },
    { name: 'ours', does: 'More.', value: spread, ratio: { median: 0.5, low: 0.4, high: 0.6 } },
  ],
  targets: [{ side: 'ours', atLeast: 0.8, reached: 0.5, met: false }],
}

it('shows the machine, versions, targets, sides and failures', () => {
  const page = formatDocument(
    [
      { id: 'area/it', result },
      { id: 'area/broken', what: 'Breaks.', failure: 'Error: with a stack' },
    ],
    {
      machine,
      date: new Date('2026-01-31T12:00:00Z'),
      command: 'npm run bench -- --write',
      notes: 'The parser is hot.\n',
    },
  )
  expect(page).toContain(`Node.js ${process.versions.node}`)
  expect(page).toMatch(/autocannon \d+\.\d+\.\d+/)
  expect(page).toContain('2026-01-31')
  expect(page).toContain('- area/it: ours at ≥ 0.8 times the speed of plain: missed (0.50)')
  expect(page).toContain('## What profiles showed\n\nThe parser is hot.\n\n## area/it')
  expect(page).toContain('- **ours**: More.')
  expect(page).toContain('## area/broken\n\nBreaks.\n\nNot measured: it failed.')
  expect(page).not.toContain('stack')
})

it('replaces the section of a benchmark that is measured again', () => {
  const options = {
    machine,
    date: new Date('2026-01-31T12:00:00Z'),
    command: 'npm run bench -- --write',
    notes: 'The parser is hot.\n',
  }
  const outcome = (id: string, reached: number) => ({
    id,
    result: { ...result, targets: [{ ...result.targets[0]!, reached, met: reached >= 0.8 }] },
  })
  const page = formatDocument([outcome('area/one', 0.5), outcome('area/two', 0.5)], options)
  const ids = ['area/one', 'area/three', 'area/two', 'area/four']
  const later = { machine, date: new Date('2026-02-01T12:00:00Z'), notes: 'The parser is cold.', ids }
  const next = replaceSections(page, [outcome('area/two', 0.9)], later)
  expect(next.match(/^- area.*|^## .*|^Measured separately on \S+/gm)).toEqual([
    '## Method',
    '## Machine',
    '## Targets',
    '- area/one: ours at ≥ 0.8 times the speed of plain: missed (0.50)',
    '- area/two: ours at ≥ 0.8 times the speed of plain: met (0.90)',
    '## What profiles showed',
    '## area/one',
    '## area/two',
    'Measured separately on 2026-02-01,',
  ])
  expect(next).toContain('## What profiles showed\n\nThe parser is cold.\n\n## area/one')
  const withoutTargets = formatDocument(
    [{ id: 'area/one', result: { ...result, targets: [] } }, outcome('area/two', 0.5)],
    options,
  )
  expect(replaceSections(withoutTargets, [outcome('area/one', 0.9)], later).match(/^- area.*/gm)).toEqual([
    '- area/one: ours at ≥ 0.8 times the speed of plain: met (0.90)',
    '- area/two: ours at ≥ 0.8 times the speed of plain: missed (0.50)',
  ])
  const added = [outcome('area/four', 1), outcome('area/three', 1)]
  expect(replaceSections(page, added, later).match(/^## area.*/gm)).toEqual([
    '## area/one',
    '## area/three',
    '## area/two',
    '## area/four',
  ])
})
