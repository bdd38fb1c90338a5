import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const bumps = ['none', 'patch', 'minor', 'major'] as const
export type Bump = (typeof bumps)[number]

/** Returns the largest change of the changesets in a folder. */
export function largestBump(folder: string): Bump {
  const announced = globSync('*.md', { cwd: folder })
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((text) => {
      const [, front = ''] = /^---\n(.*?)\n---/s.exec(text) ?? []
      return [...front.matchAll(/: *(patch|minor|major)$/gm)].map(([, bump]) => bumps.indexOf(bump as Bump))
    })
  return bumps[Math.max(0, ...announced)] ?? 'none'
}

/** Increments a version. @throws TypeError for a prerelease or invalid version */
export function next(version: string, bump: Bump): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).map(Number)
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new TypeError(`"${version}" is not a release version`)
  }
  switch (bump) {
    case 'major':
      return `${major + 1}.0.0`
    case 'minor':
      return `${major}.${minor + 1}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1}`
    case 'none':
      return version
  }
}
