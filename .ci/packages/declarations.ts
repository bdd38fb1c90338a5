import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { publicPackages } from './public.ts'

/** Whose types may show although it is no peer, and why that harms nobody. */
const allowed: Readonly<Record<string, string>> = {
  '@standard-schema/spec': 'types alone, which any version has',
  cloudevents: 'what is made here is handed out, and never taken',
  jose: 'a function type, which any version of it fits',
}

/** What is wrong with the modules that the installed packages' declarations import. */
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
      .map((other) => `${name} shows types of ${other}, which is not its user's: make it a peer`)
  })
}
