/**
 * Returns the optional binaries for a platform that the lockfile does not list, as `name@version`. npm installs only those that
 * it lists: the ones of the platform on which it was written.
 */
export function platformBinaries({ packages }, platform, arch) {
  return Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => name.includes(`${platform}-${arch}`) && !(`node_modules/${name}` in packages))
      .map(([name, version]) => `${name}@${version}`),
  );
}
