import type { BuildOptions, BuildResult } from 'esbuild'

export const programs: readonly string[]
export function bundlePrograms(entryPoints: readonly string[], options: BuildOptions): Promise<BuildResult>
