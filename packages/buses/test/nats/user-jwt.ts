import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Creates a JWT of NATS, whose claims are signed with an NKEY. */
function createJwt(issuer: KeyPair, subject: KeyPair, claims: object): string {
  const header = encode({ typ: 'JWT', alg: 'ed25519-nkey' })
  const content = encode({
    ...{ jti: subject.getPublicKey(), iat: 1_700_000_000, iss: issuer.getPublicKey() },
    ...{ name: 'test', sub: subject.getPublicKey(), nats: { version: 2, ...claims } },
  })
  const signature = issuer.sign(new TextEncoder().encode(`${header}.${content}`))
  return `${header}.${content}.${Buffer.from(signature).toString('base64url')}`
}

/** Creates the settings of a server with users by JWT, and the content of a credentials file. */
export function createCredentials(): { readonly config: string; readonly credentials: string } {
  const operator = nkeys.createOperator()
  const [system, account, user] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()]
  const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1 }
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const limits = { ...unlimited, wildcards: true }
  const accountJwt = createJwt(operator, account, { type: 'account', limits: { ...limits, ...storage } })
  const systemJwt = createJwt(operator, system, { type: 'account', limits })
  const userJwt = createJwt(account, user, {
    type: 'user',
    pub: {},
    sub: {},
    subs: -1,
    data: -1,
    payload: -1,
  })
  const systemKey = system.getPublicKey()
  return {
    config: `
      operator: ${createJwt(operator, operator, { type: 'operator', system_account: systemKey })}
      system_account: ${systemKey}
      resolver: MEMORY
      resolver_preload: { ${account.getPublicKey()}: ${accountJwt}, ${systemKey}: ${systemJwt} }`,
    credentials: [
      '-----BEGIN NATS USER JWT-----',
      userJwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      new TextDecoder().decode(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  }
}
