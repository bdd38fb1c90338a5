import { parse } from 'yaml'
import { expect, it } from 'vitest'
import { readSettings } from '../../../examples/reference-server/src/config/settings.ts'
import { serviceRoutes } from '../../../examples/reference-server/src/service/routes.ts'
import { resourceFiles, resources, getText, unknownSecrets, unknownSettings, type Resource } from './files.ts'
import { findFaults } from './models.ts'

interface Deployment extends Resource {
  readonly spec: { readonly template: { readonly spec: Pod; readonly metadata: { readonly labels: object } } }
}

interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[]
  readonly containers: readonly [
    {
      readonly env: readonly { readonly name: string; readonly value: string }[]
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    } & Readonly<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>>,
  ]
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

const kustomization = parse(getText('kubernetes/kustomization.yaml')) as {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string }[]
  readonly secretGenerator: readonly [{ readonly name: string; readonly files: readonly string[] }]
}
const all = resources()
const deployments = all.filter(({ kind }) => kind === 'Deployment') as unknown as readonly Deployment[]
const config = all.find(({ kind }) => kind === 'ConfigMap')?.['data'] as Record<string, string>

it('has resources that Kubernetes takes', async () => {
  expect(await findFaults(all)).toEqual([])
  const [first] = deployments
  expect(await findFaults([{ ...first!, spec: { ...first!.spec, replica: 3 } }])).toHaveLength(1)
  expect(await findFaults([{ ...first!, spec: { ...first!.spec, replicas: 'three' } }])).toHaveLength(2)
})

it('has a deployment of every role, all with the same image', () => {
  const roles = deployments.map(({ metadata, spec }) => [
    metadata.name,
    spec.template.spec.containers[0].env.find(({ name }) => name === 'ROLE')?.value,
  ])
  expect(roles.sort()).toEqual(['api', 'dispatcher', 'drainer', 'gateway'].map((role) => [role, role]))
  expect(kustomization.images.map(({ name }) => name)).toEqual(['sallyport'])
})

it('names every file, and secrets that the server looks for', () => {
  expect([...kustomization.resources].sort()).toEqual([...resourceFiles()].sort())
  const [{ files }] = kustomization.secretGenerator
  const names = files.map((file) => file.replace(/^secrets\//, ''))
  expect(unknownSecrets(names)).toEqual([])
  expect(names).toContain('DATABASE_URL')
})

it('has documented steps for Helm that provide every required secret', () => {
  const [block = ''] =
    /```sh\n(?:(?!```)[^])*helm install [^]*?```/.exec(getText('../../docs/deploy.md')) ?? []
  const names = [...block.matchAll(/ > ([A-Z_]+)/g)].map(([, name = '']) => name)
  expect(unknownSecrets(names)).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['JWT_SECRET', 'DATABASE_URL', 'WEBHOOK_SECRET_GITHUB']))
})

it.each(deployments.map((one) => [one.metadata.name, one] as const))(
  'starts %s with existing settings and probes existing paths',
  (_, { spec }) => {
    const pod = spec.template.spec
    const [{ env, ports, volumeMounts, ...container }] = pod.containers
    const environment = { ...config, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
    expect(unknownSettings(Object.keys(environment))).toEqual([])
    const { settings, problems } = readSettings(environment)
    expect(problems).toEqual([])
    expect(settings.DRAIN_SECONDS).toBeLessThan(settings.SHUTDOWN_SECONDS)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(settings.SHUTDOWN_SECONDS)

    const getPort = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]))
    expect(getPort).toEqual({ http: settings.PORT, metrics: settings.METRICS_PORT })
    const paths = serviceRoutes({
      ...{ providers: [], dependencies: [], hasDocuments: false },
      notices: () => [],
      stopping: new AbortController().signal,
    }).map(({ route }) => route.path)
    const { startupProbe, livenessProbe, readinessProbe } = container
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect([httpGet.port, paths.includes(httpGet.path)]).toEqual(['http', true])
    }

    const mounts = Object.fromEntries(volumeMounts.map(({ name, mountPath }) => [name, mountPath]))
    expect(mounts).toEqual({ secrets: settings.SECRETS_DIR, data: '/app/data' })
    expect(pod.volumes.find(({ name }) => name === 'secrets')?.secret?.secretName).toBe(
      kustomization.secretGenerator[0].name,
    )
  },
)

it('reaches the gateways by plain TCP, with the addresses of their clients', () => {
  const services = all.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'gateway')
  expect(services.map(({ spec }) => spec)).toMatchObject([
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
  ])
  expect(config).not.toHaveProperty('TRUST_PROXY')
})

it('hands a node’s last connections to a gateway that is ending, until the load balancer knows', () => {
  const [{ env, readinessProbe }] = deployments.find(({ metadata }) => metadata.name === 'gateway')!.spec
    .template.spec.containers
  const drainSeconds = Number(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value)
  // With a policy of Local, a node whose gateways all end has them alone, and of them those whose probe has not failed.
  // It once had failed after 5 to 10 s, and usual balancers take 20 to 30.
  expect(drainSeconds).toBeGreaterThanOrEqual(30)
  expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeGreaterThanOrEqual(drainSeconds)
})
