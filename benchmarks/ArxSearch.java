import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXConfiguration.AnonymizationAlgorithm;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;
import org.deidentifier.arx.metric.Metric.AggregateFunction;

/** One search by ARX, k = 5 and 4% suppression: folder, quasi-identifiers, algorithm, seconds. Prints one JSON object. */
public class ArxSearch {
    public static void main(String[] given) throws Exception {
        Data data = Data.create(new File(given[0], "table.csv"), StandardCharsets.UTF_8, ',');
        Set<String> chosen = new HashSet<>(Arrays.asList(given[1].split(",")));
        for (int i = 0; i < data.getHandle().getNumColumns(); i++) {
            String name = data.getHandle().getAttributeName(i);
            AttributeType type = AttributeType.INSENSITIVE_ATTRIBUTE;
            if (chosen.contains(name)) {
                type = Hierarchy.create(new File(given[0], name + ".csv"), StandardCharsets.UTF_8, ',');
            }
            data.getDefinition().setAttributeType(name, type);
        }
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(5));
        configuration.setSuppressionLimit(0.04d);
        configuration.setQualityModel(Metric.createLossMetric(AggregateFunction.GEOMETRIC_MEAN));
        AnonymizationAlgorithm algorithm = AnonymizationAlgorithm.valueOf(given[2]);
        configuration.setAlgorithm(algorithm);
        if (algorithm != AnonymizationAlgorithm.OPTIMAL) {
            configuration.setHeuristicSearchTimeLimit((int) (1000 * Double.parseDouble(given[3])));
            configuration.setHeuristicSearchStepLimit(Integer.MAX_VALUE);
        }
        if (algorithm == AnonymizationAlgorithm.BEST_EFFORT_GENETIC) {
            configuration.setGeneticAlgorithmIterations(Integer.MAX_VALUE);
            configuration.setGeneticAlgorithmDeterministic(true);
        }
        long started = System.nanoTime();
        double loss = Double.parseDouble(
            new ARXAnonymizer().anonymize(data, configuration).getGlobalOptimum().getHighestScore().toString());
        double seconds = (System.nanoTime() - started) / 1e9;
        System.out.println(String.format(Locale.ROOT, "{\"loss\": %.9f, \"seconds\": %.3f}", loss, seconds));
    }
}
