package assay;

/** What the SDK has no means for. */
final class Unsupported extends RuntimeException {
    Unsupported(String why) {
        super(why);
    }
}
