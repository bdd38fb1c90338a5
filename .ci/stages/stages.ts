/** A gate of the project: one command. */
export interface Stage {
  readonly name: string
  readonly command: string
  /** The stages that have to pass before this one starts. */
  readonly after: readonly string[]
  /** The share of the machine, of three. Three stages of one, or one of two beside one of one, run at a time. */
  readonly share: 1 | 2
}

const stage = (name: string, command: string, after: readonly string[] = [], share: 1 | 2 = 1): Stage => ({
  name,
  command,
  after,
  share,
})

/**
 * Lists the stages in the order in which they start as soon as they may.
 *
 * @param reports the folder for the reports of the test runner
 */
export function listStages(reports: string): readonly Stage[] {
  const report = (name: string) =>
    `--reporter=default --reporter=json --outputFile.json="${reports}/${name}.json"`
  // Stages that take minutes wait for the tests, which start first.
  const environment = ['Folders', 'Build', 'Services']
  return [
    stage('Folders', '.ci/install'),
    stage('Build', 'npm run build'),
    stage('Services', '.ci/services'),
    stage(
      'Tests',
      `REQUIRE_SERVICES=1 npx vitest run --config vitest.workspace.ts --project '!reliability*' ${report('tests')}`,
      environment,
      2,
    ),
    // Its share keeps it apart from the tests.
    stage(
      'Reliability',
      `REQUIRE_SERVICES=1 npm run test:reliability -- ${report('reliability')}`,
      environment,
      2,
    ),
    stage('Lint', 'npm run lint:commits && npm run lint', ['Folders']),
    stage('Types', 'npm run typecheck', ['Folders']),
    stage('New projects', 'npm run check:projects', ['Build', 'Services']),
    stage('Packages', 'npm run check:packages', ['Folders', 'Build']),
    stage('Runtimes', `REQUIRE_SERVICES=1 npm run test:runtimes -- --report "${reports}/runtimes.json"`, [
      'Folders',
      'Build',
    ]),
    stage('Documentation walk', 'npm run docs:walk', environment),
    stage('Documentation site', 'npm run docs:build', ['Folders', 'Build']),
    stage('Schemathesis', '.ci/schemathesis/run 60', environment),
    stage('Release', 'npm run release:dry -- --built', ['Build']),
    stage('Start and stop', '.ci/smoke', ['Build']),
    stage('Image', 'npm run check:image -- --built', ['Build']),
    stage('Helm chart', '.ci/helm/run', ['Folders']),
  ]
}

/**
 * Selects stages by name, and the stages that they need.
 *
 * @throws Error for an unknown name
 */
export function selectStages(stages: readonly Stage[], names: readonly string[]): readonly Stage[] {
  const selected = new Set<string>()
  const add = (name: string): void => {
    const found = stages.find((one) => one.name === name)
    if (found === undefined)
      throw new Error(`There is no stage "${name}": ${stages.map((one) => one.name).join(', ')}`)
    selected.add(name)
    found.after.forEach(add)
  }
  names.forEach(add)
  return stages.filter(({ name }) => selected.has(name))
}
