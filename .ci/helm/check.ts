/** Checks the rendered chart by the schemas of its resources, and compares it with the manifests for kustomize. Part of `.ci/helm/run`. */
import { deepEqual, equal } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Resource } from '../tools/deployment/files.ts'
import { findFaults } from '../tools/deployment/models.ts'

const manifests = join(import.meta.dirname, '../../examples/reference-server/kubernetes')
const [, , defaults = '', changed = ''] = process.argv

const read = (path: string): readonly Resource[] =>
  parseAllDocuments(readFileSync(path, 'utf8'), { merge: true })
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null)

/** Removes the differences that the chart intends: the name of the release, the tag, and the settings of the pods. */
function normalize(resource: Resource): unknown {
  const text = JSON.stringify(resource, (key, value: unknown) => {
    if (key === 'annotations' || key === 'app.kubernetes.io/instance') return undefined
    if (key === 'image') return 'sallyport'
    if (key === 'data')
      return Object.keys(Object(value) as object)
        .filter((name) => !/_SECONDS$/.test(name))
        .sort()
    if (key === 'env')
      return (value as readonly { name: string }[]).filter(({ name }) => !/_SECONDS$/.test(name))
    return value
  })
  return JSON.parse(text.replaceAll('"hooks-', '"').replaceAll('"hooks"', '"sallyport"'))
}

const index = (resources: readonly Resource[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    resources
      .map((resource) => normalize(resource) as Resource)
      .map((resource): [string, unknown] => [`${resource.kind} ${resource.metadata.name}`, resource])
      .sort(([a], [b]) => a.localeCompare(b)),
  )

const expected = globSync(join(manifests, '*.yaml'))
  .flatMap(read)
  .filter(({ kind }) => kind !== 'Namespace' && kind !== 'Kustomization')
deepEqual(index(read(defaults)), index(expected))

const resources = read(changed)
deepEqual(await findFaults([...read(defaults), ...resources]), [])
const names = Object.keys(index(resources))
deepEqual(
  names.filter((name) => /drainer|NetworkPolicy/.test(name)),
  [],
)
for (const kind of ['Ingress', 'PodMonitor', 'PrometheusRule'])
  equal(names.includes(`${kind} sallyport`), true, kind)
const text = readFileSync(changed, 'utf8')
for (const line of [
  '  TRUST_PROXY: "1"',
  '  PROVIDERS: "github,stripe"',
  '  WEBHOOK_BODY_LIMIT: "50000000"',
  '  OTEL_TRACES_SAMPLER_ARG: "0.1"',
  '  CONSOLE: "false"',
  '  type: ClusterIP',
])
  equal(text.split('\n').includes(line), true, line)
equal(text.includes('image: registry.example.com/sallyport:1.2.3'), true)

/** The parts of a pod that operators of a cluster set. */
interface Pod {
  readonly nodeSelector: object
  readonly tolerations: object
  readonly affinity: object
  readonly volumes: readonly { readonly name: string }[]
  readonly containers: readonly [{ readonly volumeMounts: readonly { readonly name: string }[] }]
}

interface Deployment extends Resource {
  readonly spec: { readonly strategy: object; readonly template: { readonly spec: Pod } }
}

const isDeployment = (resource: Resource): resource is Deployment => resource.kind === 'Deployment'

for (const { spec } of resources.filter(isDeployment)) {
  const { nodeSelector, tolerations, affinity, volumes, containers } = spec.template.spec
  deepEqual(spec.strategy, { type: 'Recreate' })
  deepEqual(
    { nodeSelector, tolerations, affinity },
    {
      nodeSelector: { pool: 'webhooks' },
      tolerations: [{ key: 'webhooks', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
    },
  )
  for (const list of [volumes, containers[0].volumeMounts])
    deepEqual(
      list.map(({ name }) => name),
      ['secrets', 'data', 'files', 'modules'],
    )
}
process.stdout.write(
  `The chart renders ${Object.keys(index(expected)).length} resources, as kustomize does.\n`,
)
