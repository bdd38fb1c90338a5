import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runStages } from './run-stages.ts'
import { listStages, selectStages, type Stage } from './stages.ts'

const folder = mkdtempSync(join(tmpdir(), 'sallyport-stages-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const stage = (name: string, command: string, options: Partial<Stage> = {}): Stage => ({
  ...{ name, command, after: [], share: 1 },
  ...options,
})

/** Runs stages, and returns the order of their starts and ends. */
async function run(...stages: readonly Stage[]) {
  const order: string[] = []
  const results = await runStages(stages, {
    cwd: folder,
    getLog: ({ name }) => join(folder, `${name}.log`),
    onStart: ({ name }) => order.push(`+${name}`),
    onEnd: ({ name }) => order.push(`-${name}`),
  })
  return { order, passed: Object.fromEntries(results.map(({ name, passed }) => [name, passed])) }
}

it('leaves out the stages that need one that failed, and runs the others', async () => {
  const { passed } = await run(
    stage('build', 'exit 3'),
    stage('packages', 'true', { after: ['build'] }),
    stage('release', 'true', { after: ['packages'] }),
    stage('lint', 'true'),
  )
  expect(passed).toEqual({ build: false, packages: undefined, release: undefined, lint: true })
})

it('runs a stage after those that it needs', async () => {
  const { order } = await run(stage('tests', 'true', { after: ['build'] }), stage('build', 'true'))
  expect(order).toEqual(['+build', '-build', '+tests', '-tests'])
})

it('ends a stage that leaves a service in the background', async () => {
  const { passed } = await run(stage('services', 'sleep 20 & echo $! > service'))
  expect(passed).toEqual({ services: true })
  process.kill(Number(readFileSync(join(folder, 'service'), 'utf8')))
})

it('keeps two shares free for the first large stage, and runs small ones beside it', async () => {
  const wait = (name: string) => `until [ -f ${name} ]; do sleep 0.01; done`
  const { order } = await run(
    stage('build', 'true'),
    stage('folders', 'true'),
    stage('tests', wait('linted'), { after: ['build'], share: 2 }),
    stage('reliability', 'true', { after: ['build'], share: 2 }),
    stage('lint', 'touch linted', { after: ['build', 'folders'] }),
  )
  expect(order.indexOf('+tests')).toBeLessThan(order.indexOf('+lint'))
  expect(order.indexOf('-tests')).toBeLessThan(order.indexOf('+reliability'))
})

it('selects stages by name with the stages that they need', () => {
  const names = selectStages(listStages('reports'), ['Types']).map(({ name }) => name)
  expect(names).toEqual(['Folders', 'Types'])
  expect(() => selectStages(listStages('reports'), ['Typos'])).toThrow('There is no stage "Typos"')
})
