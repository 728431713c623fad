// esbuild takes the styles along; to TypeScript they are nothing.
declare module '*.css'
