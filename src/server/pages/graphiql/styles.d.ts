/** Styles are bundled beside the scripts, not read by them. */
declare module '*.css'
