/**
 * Compares the pages that declarations cite with their stored hashes, and stores the new hashes. Writes the text of an issue to
 * the file of the first argument if a page changed. Run it with `npm run check:sources -- <file>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadServices } from '../../packages/providers/scripts/load.ts'
import { comparePages, type Hashes } from './compare-pages.ts'
import { listPages } from './list-pages.ts'
import { writeReport } from './report.ts'

const file = new URL('../../packages/providers/source-hashes.json', import.meta.url)
const stored = JSON.parse(readFileSync(file, 'utf8')) as Hashes
const pages = listPages(await loadServices())
const comparison = await comparePages([...pages.keys()], stored, {
  intervalMs: 1000,
  hosts: 8,
  timeoutMs: 20_000,
  maximumBytes: 4 * 1024 * 1024,
  deadlineMs: 30 * 60 * 1000,
})
writeFileSync(file, `${JSON.stringify(comparison.hashes, null, 2)}\n`)
const report = writeReport(comparison, pages)
const [, , path] = process.argv
if (report !== undefined && path !== undefined) writeFileSync(path, report)
const { changed, gone, unreadable } = comparison
process.stdout.write(
  `${pages.size} pages: ${changed.length} changed, ${gone.length} gone, ${unreadable.length} not compared\n`,
)
