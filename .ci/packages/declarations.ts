import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { publicPackages } from './public.ts'

/** Dependencies whose types may be public although they are not peer dependencies, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  '@nats-io/transport-node': 'the interface of a connection, which every 3.x connection matches',
  '@standard-schema/spec': 'types only, equal in every version',
  amqplib: 'the interface of a connection, which every 2.x connection matches',
  cloudevents: 'the package returns values of these types and takes none',
  jose: 'a function type, equal in every version',
}

/** Returns the invalid imports in the declarations of the installed packages. */
export function problemsInDeclarations(folder: string): readonly string[] {
  return publicPackages().flatMap(({ manifest: { name, dependencies, peerDependencies } }) => {
    const own = join(folder, 'node_modules', name)
    const imported = globSync('dist/**/*.d.ts', { cwd: own }).flatMap((path) =>
      ts.preProcessFile(readFileSync(join(own, path), 'utf8')).importedFiles.map(({ fileName }) => fileName),
    )
    const others = new Set(
      imported
        .filter((specifier) => !/^(\.|node:)/.test(specifier))
        .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
        .filter((other) => other !== name),
    )
    return [...others]
      .filter((other) => peerDependencies?.[other] === undefined)
      .filter(
        (other) =>
          dependencies?.[other] === undefined || !(other.startsWith('@sallyport/') || other in allowed),
      )
      .map((other) => `${name} has public types of ${other}: make it a peer dependency`)
  })
}
